'use strict';
/** For sealed tests: nothing that the tree configures has a say. */
const { tmpdir } = require('node:os');
const { plan } = require('./channel.cjs');

module.exports = {
  rootDir: plan.workspace,
  roots: [plan.tests],
  cacheDirectory: `${tmpdir()}/jest`,
  testEnvironment: 'node',
};
