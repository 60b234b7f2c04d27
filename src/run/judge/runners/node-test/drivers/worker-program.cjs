/** The worker as a program of the older kind: in it, `require.main` is there. */
void import('./worker.mjs');
