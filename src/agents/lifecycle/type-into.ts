import type { Guard, SessionChange, SessionHost } from '../host/port.ts';

/** Some programs ignore an Enter that follows a paste too soon; a second was enough for all that were tried. */
const ENTER_AFTER_MS = 1000;

/** Pastes text into a pane and submits it. Whether it was taken, only the screen can tell. */
export async function typeInto(host: SessionHost, session: string, text: string, guard: Guard): Promise<SessionChange> {
  const pasted = await host.paste(session, text.trimEnd(), guard);
  if (pasted.kind !== 'done') return pasted;
  await new Promise((resolve) => setTimeout(resolve, ENTER_AFTER_MS));
  return host.press(session, 'Enter', guard);
}
