// The graph as one sees and draws it: cytoscape with our colours.
import cytoscape from 'cytoscape/dist/cytoscape.esm.min.mjs';
import { GraphAnswer } from './api';
import { colours, ink } from './theme';

export interface Look { fill?: string; ring?: string; label?: string }
export interface Canvas {
  paint(nodes: Look[], edges: { width?: number; colour?: string; dashed?: boolean }[]): void;
  selected(): { nodes: number[]; edges: number[] };
  restyle(): void;
  destroy(): void;
}
export interface CanvasEvents { tapNode(node: number): void; tapEmpty(x: number, y: number): void }

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Cy = any;

function style(): unknown[] {
  return [
    { selector: 'node', style: { label: 'data(label)', 'background-color': ink('--cell'), 'border-color': ink('--cell-edge'), 'border-width': 1.5, color: ink('--ink'), 'font-size': 13, 'text-valign': 'center', 'text-halign': 'center', width: 34, height: 34 } },
    { selector: 'node:selected', style: { 'border-width': 4, 'border-color': ink('--focus') } },
    { selector: 'edge', style: { width: 1.8, 'curve-style': 'bezier', 'target-arrow-shape': 'triangle', 'line-color': 'data(colour)', 'target-arrow-color': 'data(colour)', 'arrow-scale': 0.9, label: 'data(type)', 'font-size': 10, color: ink('--soft'), 'text-background-color': ink('--paper'), 'text-background-opacity': 1, 'text-background-padding': 2, 'text-rotation': 'autorotate' } },
    { selector: 'edge:selected', style: { width: 4, 'line-color': ink('--focus'), 'target-arrow-color': ink('--focus') } },
  ];
}

export function canvas(container: HTMLElement, answer: GraphAnswer, places: Map<string, { x: number; y: number }>, events: CanvasEvents): Canvas {
  const { nodes, edges } = answer.graph;
  const types = [...new Set(edges.map((edge) => edge.type))].sort();
  const known = nodes.every((node) => places.has(node.name));
  const cy: Cy = cytoscape({
    container,
    elements: [
      ...nodes.map((node, i) => ({ data: { id: `n${i}`, label: node.name }, position: places.get(node.name) ?? { x: 200 + 150 * Math.cos((6.283 * i) / nodes.length), y: 150 + 120 * Math.sin((6.283 * i) / nodes.length) } })),
      ...edges.map((edge, i) => ({ data: { id: `e${i}`, source: `n${edge.source}`, target: `n${edge.target}`, type: types.length > 1 ? edge.type : '', colour: colours[types.indexOf(edge.type) % colours.length] } })),
    ],
    style: style(),
    minZoom: 0.3,
    maxZoom: 2.5,
    userZoomingEnabled: false,
    layout: known ? { name: 'preset', fit: true, padding: 30 } : { name: 'cose', animate: false, randomize: false, padding: 30, nodeRepulsion: () => 9000, idealEdgeLength: () => 70 },
  });
  const remember = (): void => cy.nodes().forEach((node: Cy) => { places.set(node.data('label').split('\n')[0], { ...node.position() }); });
  remember();
  cy.on('dragfree', 'node', remember);
  cy.on('tap', 'node', (event: Cy) => events.tapNode(Number(event.target.id().slice(1))));
  cy.on('tap', (event: Cy) => { if (event.target === cy) events.tapEmpty(event.position.x, event.position.y); });
  const watched = new ResizeObserver(() => { cy.resize(); cy.fit(undefined, 30); });
  watched.observe(container);
  return {
    paint(looks, links) {
      cy.batch(() => {
        looks.forEach((look, i) => {
          const node = cy.getElementById(`n${i}`);
          node.style({ 'background-color': look.fill ?? ink('--cell'), 'border-color': look.ring ?? ink('--cell-edge'), 'border-width': look.ring ? 4 : 1.5, color: look.fill ? readable(look.fill) : ink('--ink') });
        });
        links.forEach((look, i) => {
          const edge = cy.getElementById(`e${i}`);
          const colour = look.colour ?? edge.data('colour');
          edge.style({ width: look.width ?? 1.8, 'line-style': look.dashed ? 'dashed' : 'solid', 'line-color': colour, 'target-arrow-color': colour });
        });
      });
    },
    selected: () => ({
      nodes: cy.nodes(':selected').map((node: Cy) => Number(node.id().slice(1))),
      edges: cy.edges(':selected').map((edge: Cy) => Number(edge.id().slice(1))),
    }),
    restyle: () => cy.style(style()),
    destroy: () => { watched.disconnect(); cy.destroy(); },
  };
}

// Black or white, whichever is read on the colour.
function readable(colour: string): string {
  const match = /rgb\((\d+), (\d+), (\d+)\)/.exec(colour);
  if (!match) return ink('--ink');
  const light = 0.3 * Number(match[1]) + 0.59 * Number(match[2]) + 0.11 * Number(match[3]);
  return light > 140 ? '#111' : '#fff';
}
