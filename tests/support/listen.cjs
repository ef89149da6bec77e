// Loaded before an example server with a port of its own choosing: it listens on a free port
// instead, and says which on stderr.
const { Server } = require('node:net');

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  if (typeof port !== 'number') return listen.call(this, port, ...rest);
  this.once('listening', () => console.error(`port ${this.address().port}`));
  return listen.call(this, 0, ...rest);
};
