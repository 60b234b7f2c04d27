import { object, plains, type AllowedValue, tagged } from './shape.ts';

export const cacheControl: AllowedValue = tagged('cache control', { ephemeral: object(plains('ttl', 'scope')) });
