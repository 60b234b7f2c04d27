'use strict';
const { test } = require('node:test');
const words = require('../words.cjs');
const { same } = require('../tests');

test('small words', () => same(words.small, ['a', 'of', 'the']));
test('endings', () => same(words.endings, { child: 'children', goose: 'geese' }));
