export default {
  forbidden: [{name:'x',severity:'error',from:{path:'^nothing'},to:{path:'^nothing'}}],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules/\\.cache|\\.data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source','import', 'node', 'default', 'types'],
    },
  },
}
