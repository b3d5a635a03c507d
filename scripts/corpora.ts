import { corpora, fetchCorpus } from './fetch-corpora.js'

for (const corpus of corpora)
  try {
    await fetchCorpus(corpus, `.corpora/${corpus.name}`, 'https://codeload.github.com')
    console.log(`.corpora/${corpus.name}: ${corpus.repository} at ${corpus.commit}`)
  } catch (error) {
    if (corpus.need !== 'optional') throw error
    console.warn(`.corpora/${corpus.name}: skipped, since it is optional.`, error)
  }
