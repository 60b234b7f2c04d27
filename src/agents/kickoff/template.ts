import { SeatrialError } from '../../kernel/errors.ts';

const TOKEN = /\{\{([^{}\n]*)\}\}|\{([a-z][a-z_]*)\}/g;

/**
 * Fills the slots of a template: `{lower_case}` is a slot, `{{x}}` gives `{x}`, everything else stays as it is. What is filled in is not looked
 * at again, so a role's text may contain braces. Throws a usage error that names every unknown slot.
 */
export function fillSlots(template: string, slots: Readonly<Record<string, string>>, where: string): string {
  const unknown = new Set<string>();
  const text = template.replaceAll(TOKEN, (_whole, literal: string | undefined, name: string | undefined) => {
    if (name === undefined) return `{${literal ?? ''}}`;
    const value = Object.hasOwn(slots, name) ? slots[name] : undefined;
    if (value === undefined) unknown.add(name);
    return value ?? '';
  });
  if (unknown.size === 0) return text;
  const names = [...unknown].map((name) => `{${name}}`).join(', ');
  const known = Object.keys(slots).map((name) => `{${name}}`);
  throw new SeatrialError(
    'usage',
    `${where}: unknown slot ${names}; the slots are ${known.join(', ')}, and {{x}} gives {x}`,
  );
}
