exports.small = ['a', 'of', 'the'];
exports.endings = { child: 'children', goose: 'geese' };
