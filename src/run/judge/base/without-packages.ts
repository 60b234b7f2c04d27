import type { Mount } from '../../../confine/types.ts';
import type { Products } from '../../provision/products.ts';
import { WORKSPACE } from '../sandbox/layout.ts';

const isOfPackages = (path: string): boolean => /(?:^|\/)node_modules(?:\/|$)/.test(path);

/** The same without the packages of Node.js that were installed into the tree. */
export function withoutPackages<
  Request extends { readonly products: Products | null; readonly readOnly?: readonly Mount[] },
>(request: Request): Request {
  const { products, readOnly = [] } = request;
  const isKept = ({ target }: Mount): boolean => !target.startsWith(`${WORKSPACE}/`) || !isOfPackages(target);
  return {
    ...request,
    readOnly: readOnly.filter(isKept),
    products:
      products === null
        ? null
        : {
            ...products,
            mounts: products.mounts.filter(isKept),
            dirs: new Map([...products.dirs].filter(([dir]) => !isOfPackages(dir))),
          },
  };
}
