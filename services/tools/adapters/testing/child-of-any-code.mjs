// A child process that runs the code in the options of its job, to be as bad as a tool can be.
process.on('message', ({ kind, job }) => {
  if (kind === 'job') new Function(job.options.code)()
})
process.send({ kind: 'ready' })
