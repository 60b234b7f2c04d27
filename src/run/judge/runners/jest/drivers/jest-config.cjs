'use strict';
/** For sealed tests: nothing that the tree configures has a say. */
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { plan } = require('../../shared/node/drivers/channel.cjs');

/** The one that jest itself would take, wherever a package manager has put it. */
function findBabelJest() {
  let from = `${plan.workspace}/node_modules/jest/package.json`;
  for (const name of ['jest-cli', 'jest-config', 'babel-jest']) from = createRequire(from).resolve(name);
  return from;
}

module.exports = {
  rootDir: plan.workspace,
  roots: [plan.tests],
  cacheDirectory: `${tmpdir()}/jest`,
  testEnvironment: 'node',
  transform: { '\\.[cm]?[jt]sx?$': [findBabelJest(), { configFile: false, babelrc: false }] },
};
