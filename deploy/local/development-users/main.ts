import { runCommand } from '#libs/runtime/run-command.js'
import { makeDevelopmentUsers, readRequest } from '../make-development-users.js'

// A process of its own, because the launcher has no use for gRPC afterwards and would keep it.
await runCommand(() => makeDevelopmentUsers(readRequest(process.argv[2])))
