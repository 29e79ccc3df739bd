// What the server says; docs/api.md and openapi.json have the keys.

export interface HeapView { svg: string; text: string }
export interface TraceSite { heap: number; named: number[]; active: number[]; explained: number[]; chosen: number[] }
export interface TraceStep {
  decision: string; line: number; depth: number; about?: string; outcome: string; formula: string;
  scores: Record<string, number>; heaps: TraceSite[];
}
export interface LoopView {
  line: number; invariant: string | null; proved: boolean; given: boolean; run_through: boolean; graphs: string[];
  candidates: string[]; snapshots: HeapView[]; prediction: { heaps: HeapView[]; steps: TraceStep[] };
}
export interface Turn { line: number; taken: boolean }
export interface ConditionView {
  line: number; kind: string; loop: number; path: Turn[]; left: string; right: string; verdict: string;
}
export interface FilmFrame { line: number; function: string; svg: string; text: string; dead: string[] }
export interface FunctionView {
  name: string; line: number; verdict: 'proved' | 'unsafe' | 'unknown'; reason: string; claim: string;
  requires: string; requires_assumed: boolean; ensures: string | null; ensures_inferred: boolean; whole: boolean;
  assumptions: string[]; warnings: string[]; runs: number; seconds: number; loops: LoopView[]; proof: ConditionView[];
  run?: { fault: string; line: number; column: number; input: HeapView; end: HeapView; film: FilmFrame[] };
  failure?: { kind: string; line: number; reason: string; path: Turn[]; state: string; counter?: HeapView };
}
export interface ProgramAnswer {
  name: string; source: string; outcome: 'proved' | 'unsafe' | 'unknown'; text: string; replay: string;
  functions: FunctionView[]; notes: string[]; reason?: string;
}
export interface ProofStep { parent: number; because: string; state: string; outcome: string }
export interface FormulaAnswer {
  kind: string; left?: string; right?: string; formula?: string; verdict: string; reason: string; cases: number;
  numbers: string; heap?: HeapView; tree?: { steps: ProofStep[]; cut: boolean }; question?: string;
}
export interface StatementAnswers { kind: string; answers: FormulaAnswer[] }
export interface Choice { label: string; index: number; probability: number }
export interface GraphAnswer {
  format: string; question: number; questions: { text: string; line: number }[];
  model: Record<string, unknown>; graph: { nodes: { name: string; tags?: string[] }[]; edges: { source: number; type: string; target: number }[] };
  arguments: number[]; answer: Record<string, unknown>; labels: number[]; steps: Choice[][];
  settling: null | { annotation: number; state: number; outputs: { annotations: number[][]; states: number[][][] }[] };
  why: null | { error?: string; score: number; baseline: number; explained: number; nodes: number[]; edges: number[]; svg: string };
}
export interface Item { id: string; name: string; changed: number; title?: string; example?: string }
export interface RunCurves {
  question: string; restart: number; update: number[]; train_loss: (number | null)[]; valid_loss: (number | null)[];
  error: (number | null)[]; learning_rate: (number | null)[]; seconds: (number | null)[];
}
export interface TrainingView {
  id: string; name: string; metric: string; settings: Record<string, unknown>; end: Record<string, unknown> | null;
  seconds: number; runs: RunCurves[];
}

let token = '';
// A token stands behind # in the address that the server printed, where no server and no other page sees it.
export function takeToken(): void {
  const match = /#token=(.+)$/.exec(location.hash);
  if (match) {
    sessionStorage.setItem('ggsnn-token', decodeURIComponent(match[1]!));
    history.replaceState(null, '', location.pathname + '#/programs');
  }
  token = sessionStorage.getItem('ggsnn-token') ?? '';
}

export class ApiError extends Error {
  constructor(public status: number, message: string) {
    super(message);
  }
}

async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers: Record<string, string> = token === '' ? {} : { Authorization: `Bearer ${token}` };
  if (init.body !== undefined) headers['Content-Type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new ApiError(0, 'The server does not answer. Is ggsnn serve still running?');
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, (body as { error?: string }).error ?? `status ${response.status}`);
  return body as T;
}

export const get = <T>(path: string): Promise<T> => call<T>(path);
export const post = <T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> =>
  call<T>(path, { method: 'POST', body: JSON.stringify(body), signal });
