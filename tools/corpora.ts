import { corpora, fetchCorpus } from './fetch-corpora.js'

for (const corpus of corpora) {
  await fetchCorpus(corpus, `.corpora/${corpus.name}`, 'https://codeload.github.com')
  console.log(`.corpora/${corpus.name}: ${corpus.repository} at ${corpus.commit}`)
}
