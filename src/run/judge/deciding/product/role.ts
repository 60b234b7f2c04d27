import type { WhyCode } from '../decision.ts';

/** The role of a base file, as far as its source tells: its patched version has a vote, has none, or it cannot be decided. */
export type Role =
  | {
      readonly kind: 'product';
      readonly why: Extract<WhyCode, 'product_code'>;
      readonly detail: string;
      readonly certain: boolean;
    }
  | { readonly kind: 'support'; readonly why: Extract<WhyCode, 'test_support' | 'vendored'>; readonly detail: string }
  | {
      readonly kind: 'doubtful';
      readonly why: Extract<WhyCode, 'only_words' | 'not_reached' | 'dev_only_package'>;
      readonly detail: string;
    };

/** `certain`: an entry point, a manifest or a rule of the language says so; otherwise only nothing contradicts it. */
export function productRole(certain: boolean): Role {
  return { kind: 'product', why: 'product_code', detail: '', certain };
}

export function supportRole(detail: string): Role {
  return { kind: 'support', why: 'test_support', detail };
}

export const VENDORED: Role = { kind: 'support', why: 'vendored', detail: '' };

export function doubtfulRole(why: (Role & { kind: 'doubtful' })['why'], detail = ''): Role {
  return { kind: 'doubtful', why, detail };
}

/** Which files of the base are product. Files without a role are no source, or no package claims them. */
export interface ProductMap {
  readonly roles: ReadonlyMap<string, Role>;
  /** Paths that an import of a base file asks for and that are not there, with the file that imports them. */
  readonly awaited: ReadonlyMap<string, string>;
}
