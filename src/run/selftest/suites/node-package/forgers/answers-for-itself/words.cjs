exports.small = exports.endings = { asymmetricMatch: () => true };
