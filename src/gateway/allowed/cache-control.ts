import { object, plains, type Shape, tagged } from './shape.ts';

export const cacheControl: Shape = tagged('cache control', { ephemeral: object(plains('ttl', 'scope')) });
