import { browserBoundary, clientBoundary } from './scripts/client-boundary.mjs'
import { driverHomes, inBrowsers } from './scripts/driver-homes.mjs'
import { floorsOfTheGateway } from './scripts/gateway-floors.mjs'

// The module boundaries. Every rule has a planted violation in scripts/dependency-rules.test.ts.

/** What only tests are made of; it never ships. */
const tests = '(\\.test\\.tsx?$|-contract\\.ts$|^libs/testing/|/testing/|^e2e/|^vitest\\.config\\.ts$)'

/** What a process, npm, vitest or a person starts with. */
const entryPoints =
  '/main\\.ts$|^services/tools/adapters/job-child\\.ts$|^clients/sdk/(exports|node)\\.ts$|^deploy/container/[^/]+\\.ts$|/(print-token|scan-file)\\.ts$|^scripts/(build-sdk|check|corpora|count-test-results|generate|release|test-previous)\\.ts$|\\.mjs$|\\.test\\.tsx?$|-setup\\.ts$|^vitest\\.config\\.ts$|^e2e/(take-screenshots|draw-pictures)\\.ts$|^clients/cli/(mcp-shims|node-hashes)\\.ts$|^clients/(cli|action)/vite\\.config\\.ts$|^services/web/browser/(vite\\.config\\.ts|((landing|guide)/main|share/(main|markdown|embed))\\.ts|dashboard/main\\.tsx|document/document-worker\\.ts)$'

/** Starts the whole system inside the process of a test. */
const inProcess = '^e2e/(harness/(system-in-process|development-issuer)|privacy\\.contract\\.test)\\.ts$'

/** The adapters in front of the use cases, by their names. */
const inFront = '/adapters/(grpc|http)-[^/]+$|/adapters/start-[^/]+-jobs\\.ts$'

const insideAService = [
  {
    name: 'domain-imports-itself-and-core',
    comment: 'Rules are pure: no port, no library, no driver, no clock reaches them.',
    from: { path: '^services/([^/]+)/domain/', pathNot: tests },
    to: { pathNot: '^(services/$1/domain|libs/core|shared/core)/|^engine/json-pointer\\.ts$' },
  },
  {
    name: 'ports-import-domain-and-core',
    comment: "A port speaks the service's own words and never names a technology.",
    from: { path: '^services/([^/]+)/((document|moderation|erasure|contract)-)?ports\\.ts$' },
    to: {
      pathNot:
        '^(services/$1/domain|libs/core|shared/core)/|^services/$1/((document|moderation|erasure|contract)-)?ports\\.ts$',
    },
  },
  {
    name: 'application-imports-domain-ports-and-core',
    comment: 'A use case reaches the outside world by the ports that it is given.',
    from: { path: '^services/([^/]+)/application/', pathNot: tests },
    to: {
      pathNot:
        '^(services/$1/(domain|application)|libs/core|shared/core)/|^services/$1/((document|moderation|erasure|contract)-)?ports\\.ts$',
    },
  },
  {
    name: 'adapters-import-domain-and-ports',
    comment: 'An adapter takes its settings as parameters; wire.ts alone knows the configuration.',
    from: { path: '^services/([^/]+)/adapters/', pathNot: tests },
    to: {
      path: '^services/$1/',
      pathNot:
        '^services/$1/(domain|application|adapters)/|^services/$1/((document|moderation|erasure|contract)-)?ports\\.ts$',
    },
  },
  {
    name: 'only-adapters-in-front-import-application',
    comment: 'What stores or sends does not call use cases: grpc-*, http-* and start-*-jobs do.',
    from: { path: '^services/([^/]+)/adapters/', pathNot: [tests, inFront] },
    to: { path: '^services/$1/application/' },
  },
  {
    name: 'only-wire-imports-adapters',
    comment: 'One file per service says which adapter implements which port.',
    from: {
      path: '^services/([^/]+)/',
      pathNot: [
        tests,
        '^services/[^/]+/(domain|application|adapters)/',
        '^services/[^/]+/(ports|wire|main|doctor|operator)\\.ts$',
      ],
    },
    to: { path: '^services/$1/adapters/' },
  },
  {
    name: 'only-migrate-imports-migrations',
    comment: 'The schema changes by the migrate command, never from a process that serves.',
    from: {
      path: '^services/([^/]+)/',
      pathNot: [tests, '^services/[^/]+/migrations/', '^services/[^/]+/migrate\\.ts$'],
    },
    to: { path: '^services/$1/migrations/' },
  },
  {
    name: 'services-are-ready-once-their-database-responds',
    comment:
      'startService of libs/service reports a process as ready when its database has responded, not before.',
    from: { path: '^services/', pathNot: tests },
    to: { path: '^libs/grpc/server\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'migrations-import-no-code-of-their-service',
    comment: 'A migration describes the schema of its own day, whatever the code has become since.',
    from: { path: '^services/([^/]+)/migrations/', pathNot: tests },
    to: { path: '^services/$1/', pathNot: '^services/$1/migrations/' },
  },
  {
    name: 'main-imports-wire-and-config',
    comment: 'A main.ts runs the command it is given; there is nothing else to find in it.',
    from: { path: '^(gateway|services/[^/]+)/main\\.ts$' },
    to: { pathNot: '^$1/(wire|config|doctor|migrate|operator)\\.ts$|^(libs|shared)/' },
  },
  {
    name: 'a-doctor-only-checks',
    comment:
      'A doctor.ts looks at what the process is made of, by checks alone: it runs no use case and changes nothing.',
    from: { path: '^(gateway|services/[^/]+)/doctor\\.ts$' },
    to: { pathNot: ['^$1/(wire|config|migrate)\\.ts$', '^$1/.*check-[^/]+$', '^(libs|shared)/'] },
  },
  {
    name: 'only-the-doctor-checks',
    comment: 'Checks take their time and call others; nothing that serves waits for them.',
    from: {
      path: '^(gateway|services|shared|libs|engine|deploy|dev)/',
      pathNot: [tests, '/doctor\\.ts$', '/check-[^/]+$', '^deploy/doctor/'],
    },
    to: { path: '/check-[^/]+$', pathNot: ['/(application|browser)/', '/checks/'] },
  },
]

const betweenModules = [
  {
    name: 'services-stay-apart',
    comment: 'Services meet over gRPC, never by import.',
    from: { path: '^services/([^/]+)/' },
    to: { path: '^services/', pathNot: '^services/$1/' },
  },
  {
    name: 'services-never-import-the-gateway',
    comment: 'Only the gateway decides what callers see of a service.',
    from: { path: '^services/' },
    to: { path: '^gateway/' },
  },
  {
    name: 'the-gateway-never-imports-a-service',
    comment: 'The gateway knows services by their protocol.',
    from: { path: '^gateway/' },
    to: { path: '^services/' },
  },
  {
    name: 'libs-know-no-service-and-no-gateway',
    comment: 'Libraries know nothing about our business.',
    from: { path: '^libs/' },
    to: { path: '^(gateway|services|shared|engine)/' },
  },
  {
    name: 'shared-knows-no-process',
    comment: 'What several processes agree on belongs to none of them.',
    from: { path: '^shared/' },
    to: { path: '^(gateway|services)/' },
  },
  {
    name: 'shared-core-rests-on-core',
    comment: 'Domains rest on shared/core, which is as pure as they are.',
    from: { path: '^shared/core/', pathNot: tests },
    to: { pathNot: '^(shared/core|libs/core)/' },
  },
  {
    name: 'libs-know-no-protocol',
    comment:
      'Libraries serve any protocol; our messages belong to the modules that use them. A batch has calls of any.',
    from: { path: '^libs/', pathNot: tests },
    to: { path: '^proto/', pathNot: '^proto/gen/snipkeep/batch/' },
  },
  {
    name: 'core-imports-nothing',
    comment: 'Domains rest on libs/core, which therefore rests on nothing, not even on Node.',
    from: { path: '^libs/core/', pathNot: tests },
    to: { pathNot: '^(libs/core|gateway|services|shared|proto)/' },
  },
  {
    name: 'processes-are-started-not-imported',
    comment:
      'What starts the system or calls it runs the same entry points as an operator; three files put it, or its migrations, into the process of a test. The texts of pages are data.',
    from: { path: '^(deploy|dev|e2e|bench)/', pathNot: inProcess },
    to: { path: '^(gateway|services)/', pathNot: '^services/web/texts/(?:[a-z]{2}|message)(?:\\.ts$|/)' },
  },
  {
    name: 'scripts-import-configurations-alone',
    comment:
      'The tables of variables come from config.ts and the types of the SDK from the OpenAPI document; scripts use nothing else of a process.',
    from: { path: '^scripts/' },
    to: {
      path: '^(gateway|services|deploy|dev|e2e|bench)/',
      pathNot: [
        '/config\\.ts$',
        '^gateway/features/docs/(openapi-document|testing/documented-operations)\\.ts$',
      ],
    },
  },
  {
    name: 'no-imports-from-tooling',
    comment:
      'Deployment, end-to-end tests, benchmarks and scripts use the system; it does not use them. Tests of billing alone meet the payment sandbox.',
    from: { path: '^(gateway|services|shared|libs|engine|proto)/', pathNot: '^services/billing/testing/' },
    to: { path: '^(deploy|dev|e2e|bench|scripts)/' },
  },
  {
    name: 'tooling-stays-apart',
    comment: 'Only the harness that starts the system is shared, with the benchmarks.',
    from: { path: '^(e2e|bench)/', pathNot: inProcess },
    to: { path: '^(deploy|dev|e2e|bench|scripts)/', pathNot: ['^$1/', '^e2e/harness/'] },
  },
  {
    name: 'the-launcher-knows-no-tests',
    comment:
      'The launcher starts the development parts and they use its addresses; tests stay outside. The test of the Dockerfile asks a script what processes import.',
    from: { path: '^(deploy|dev)/', pathNot: '^deploy/container/dockerfile\\.test\\.ts$' },
    to: { path: '^(e2e|bench|scripts)/' },
  },
  {
    name: 'relative-imports-stay-in-their-module',
    comment: 'A module reaches others through #libs/, #engine/, #shared/, #sdk/ and #proto/ only.',
    from: { path: '^(gateway|services/[^/]+|shared|libs|engine|proto|deploy|dev|e2e|bench|scripts)/' },
    to: {
      path: '^(libs|engine|shared|proto|clients/sdk)/|^[^/]+$',
      pathNot: '^$1/',
      dependencyTypes: ['local'],
      dependencyTypesNot: ['aliased-subpath-import'],
    },
  },
  {
    name: 'a-module-imports-itself-relatively',
    comment: '#libs/, #engine/ and #shared/ are how other modules import it.',
    from: { path: '^(libs|engine|shared)/' },
    to: { path: '^$1/', dependencyTypes: ['aliased-subpath-import'] },
  },
]

const everywhere = [
  {
    name: 'no-cycles',
    comment: 'Files that need each other are one file, or there is a third one between them.',
    from: { pathNot: '^proto/gen/' },
    to: { circular: true },
  },
  {
    name: 'nothing-ships-with-tests',
    comment: 'Production code imports neither tests nor what only they use.',
    from: { path: '^(gateway|services|shared|libs|engine|deploy|dev|proto)/', pathNot: tests },
    to: { path: tests },
  },
  {
    name: 'nothing-ships-with-development-packages',
    comment: 'An image is installed without them; none has the launcher.',
    from: {
      path: '^(gateway|services|shared|libs|engine|deploy|dev|proto)/',
      pathNot: [tests, inBrowsers, '^deploy/launcher/vite\\.config\\.mjs$'],
    },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '/node_modules/@types/' },
  },
  {
    name: 'every-package-is-declared',
    comment: 'A package that only another one asked for may vanish with it.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'every-import-resolves',
    comment: 'An import that cannot be followed is one that no rule has seen.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'every-file-is-reached',
    comment:
      'What neither an entry point nor a test leads to is dead. There are no cycles, so a file that has an importer is reached.',
    from: {},
    module: {
      path: '^(gateway|services|shared|libs|engine|deploy|dev|clients|e2e|bench|scripts)/',
      pathNot: entryPoints,
      numberOfDependentsLessThan: 1,
    },
  },
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...insideAService,
    ...betweenModules,
    ...floorsOfTheGateway,
    ...clientBoundary,
    ...browserBoundary,
    ...everywhere,
    ...driverHomes,
  ].map((rule) => ({
    ...rule,
    severity: 'error',
  })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(clients/[^/]+/dist|dist|\\.data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['snipkeep-source', 'import', 'node', 'default', 'types'],
    },
  },
}
