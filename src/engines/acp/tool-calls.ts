import { isObject, type JsonObject, objectIn, objectsIn, textIn } from '../../gateway/exchange/json.ts';
import { detailText } from '../agent/json-line.ts';
import type { EngineEvent } from '../definition.ts';
import type { PermissionRequest, ToolAction } from '../permission-request.ts';

/** All that an agent has said about one call of a tool: later messages replace what earlier ones said. */
export class ToolCalls {
  readonly #calls = new Map<string, { known: JsonObject; isTold: boolean; isDone: boolean }>();

  /** Takes a call, or news about one. */
  note(said: JsonObject): readonly EngineEvent[] {
    const id = textIn(said['toolCallId']);
    const call = this.#calls.get(id) ?? { known: {}, isTold: false, isDone: false };
    call.known = { ...call.known, ...Object.fromEntries(Object.entries(said).filter(([, value]) => isTelling(value))) };
    this.#calls.set(id, call);
    const { known } = call;
    const status = textIn(known['status']);
    const events: EngineEvent[] = [];
    // Agents announce a call before they know its input.
    if (!call.isTold && status !== 'pending' && status !== '') {
      call.isTold = true;
      events.push(callEvent(id, known));
    }
    if (!call.isDone && (status === 'completed' || status === 'failed')) {
      call.isDone = true;
      const ok = status === 'completed';
      events.push({ type: 'engine.tool_result', data: { id, ok, detail: resultText(known) } });
      if (ok) events.push(...editsOf(known).map((path): EngineEvent => ({ type: 'engine.edit', data: { path } })));
    }
    return events;
  }

  /** Calls that were announced and never begun. */
  flush(): readonly EngineEvent[] {
    return [...this.#calls].flatMap(([id, call]) => {
      if (call.isTold) return [];
      call.isTold = true;
      return [callEvent(id, call.known)];
    });
  }

  /** What the agent asks permission for, with what it said about this call before. */
  permissionFor(said: JsonObject, workspace: string): PermissionRequest {
    const known = { ...this.#calls.get(textIn(said['toolCallId']))?.known, ...said };
    const action = ACTIONS[textIn(known['kind'])] ?? 'other';
    const input = objectIn(known['rawInput']);
    const title = textIn(known['title']);
    // Some agents name a command in the title alone.
    const command = commandIn(input) ?? (action === 'run' ? title : null);
    const paths = [...new Set(pathsIn(known, input).map((path) => withinWorkspace(path, workspace)))];
    return { action: strongest(action, command, diffPaths(known)), paths, command, title };
  }
}

const isTelling = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  !(isObject(value) && Object.keys(value).length === 0) &&
  !(Array.isArray(value) && value.length === 0);

const ACTIONS: Readonly<Record<string, ToolAction>> = {
  read: 'read',
  search: 'search',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  execute: 'run',
  fetch: 'fetch',
  think: 'think',
  switch_mode: 'mode',
};

/** A call that shows a diff edits, and one with a command runs it, whatever it calls itself. */
function strongest(action: ToolAction, command: string | null, diffs: readonly string[]): ToolAction {
  if (command !== null) return 'run';
  return diffs.length > 0 && !['edit', 'delete', 'move'].includes(action) ? 'edit' : action;
}

function commandIn(input: JsonObject): string | null {
  const command = input['command'] ?? input['cmd'];
  if (Array.isArray(command)) return command.filter((word) => typeof word === 'string').join(' ');
  return typeof command === 'string' && command !== '' ? command : null;
}

const PATH_KEYS = [
  'file_path',
  'filePath',
  'filepath',
  'path',
  'absolute_path',
  'notebook_path',
  'old_path',
  'new_path',
];

function pathsIn(known: JsonObject, input: JsonObject): readonly string[] {
  const located = objectsIn(known['locations']).map((place) => textIn(place['path']));
  const named = PATH_KEYS.map((key) => textIn(input[key]));
  return [...located, ...named, ...diffPaths(known), ...Object.keys(objectIn(input['changes']))].filter(
    (path) => path !== '',
  );
}

const diffPaths = (known: JsonObject): readonly string[] =>
  objectsIn(known['content']).flatMap((part) => (part['type'] === 'diff' ? [textIn(part['path'])] : []));

function withinWorkspace(path: string, workspace: string): string {
  if (path === workspace) return '.';
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}

function callEvent(id: string, known: JsonObject): EngineEvent {
  const input = known['rawInput'];
  const name = [known['name'], objectIn(known['_meta'])['toolName'], known['kind']]
    .map(textIn)
    .find((text) => text !== '');
  const detail = detailText(isTelling(input) ? input : textIn(known['title']));
  return { type: 'engine.tool', data: { name: name ?? 'tool', detail, id } };
}

function resultText(known: JsonObject): string {
  const texts = objectsIn(known['content']).map((part) => textIn(objectIn(part['content'])['text']));
  const text = texts.filter((one) => one !== '').join('\n');
  return detailText(text === '' ? (known['rawOutput'] ?? '') : text);
}

const CHANGES_FILES = new Set(['edit', 'delete', 'move']);

function editsOf(known: JsonObject): readonly string[] {
  const diffs = diffPaths(known);
  if (diffs.length > 0) return [...new Set(diffs)];
  if (!CHANGES_FILES.has(textIn(known['kind']))) return [];
  return [...new Set(pathsIn(known, objectIn(known['rawInput'])))];
}
