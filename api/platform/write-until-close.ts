/**
 * Makes each command of the MongoDB driver fail when its connection closes. The driver's 7.8.0 and 7.9.0 wait forever for a
 * socket to drain that was destroyed: before the write, when its `close` is still to come, or while a large command waits. If
 * that command is a heartbeat, the database stays away for this process until it is restarted.
 */
import { Connection } from 'mongodb/lib/cmap/connection.js';

const { writeCommand } = Connection.prototype;

Connection.prototype.writeCommand = function writeUntilClose(command, options) {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(this.error);
    this.once('close', onClose);
    writeCommand
      .call(this, command, options)
      .then(resolve, reject)
      .finally(() => this.off('close', onClose));
  });
};
