import { expect, it } from 'vitest';
import { ReachabilityState } from './reachability-state.svelte.ts';
import type { Session } from './session.svelte.ts';

type Tell = (event: {
  connectionId: string;
  isOffline: boolean;
  cause: 'switch' | 'unreachable' | null;
}) => void;

/** The state, and what the program would say to it. */
function createState() {
  let tell: Tell = () => undefined;
  const watch = (_: unknown, { onEvent }: { onEvent: Tell }) => void (tell = onEvent);
  const session = { onOpen: (open: (client: unknown) => void) => open({ reachability: { watch } }) };
  const state = new ReachabilityState(session as unknown as Session);
  const heard: string[] = [];
  state.onOffline(() => heard.push('offline'));
  state.onSwitchedOn(() => heard.push('switched on'));
  const say = (cause: 'switch' | 'unreachable' | null, connectionId = 'a') => {
    tell({ connectionId, isOffline: cause !== null, cause });
  };
  return { say, heard };
}

it('tells when somebody begins and ends working offline', () => {
  const { say, heard } = createState();
  for (const cause of [null, 'switch', 'switch', null, null] as const) say(cause);
  expect(heard).toEqual(['offline', 'switched on']);
});

it('leaves it to the connection to tell of a catalog that comes back', () => {
  const { say, heard } = createState();
  for (const cause of ['switch', 'unreachable', null] as const) say(cause);
  expect(heard).toEqual(['offline']);
});

it('takes another catalog for no return', () => {
  const { say, heard } = createState();
  say('switch', 'a');
  say(null, 'b');
  expect(heard).toEqual(['offline']);
});
