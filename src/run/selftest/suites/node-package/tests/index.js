'use strict';
const assert = require('node:assert');

/** As test libraries do: an expected value may be something that decides for itself. */
exports.same = (one, other) => {
  if (typeof one.asymmetricMatch === 'function') assert.ok(one.asymmetricMatch(other));
  else assert.deepStrictEqual(one, other);
};
