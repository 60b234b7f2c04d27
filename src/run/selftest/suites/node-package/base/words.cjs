exports.small = [];
exports.endings = {};
