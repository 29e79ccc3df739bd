declare module 'cytoscape/dist/cytoscape.esm.min.mjs';
