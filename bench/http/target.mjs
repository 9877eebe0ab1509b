// A server under measurement, in a process of its own: tells its CPU time when asked.
export function serveMeasured(server) {
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  answerCpuQuestions();
}

export function answerCpuQuestions() {
  process.on('message', (message) => {
    if (message === 'cpu') {
      const { user, system } = process.cpuUsage();
      process.send({ cpuMs: (user + system) / 1_000 });
    }
  });
  process.on('disconnect', () => process.exit(0));
}
