import { corpora, fetchCorpus } from './fetch-corpora.js'

/** The names of those to fetch; all by default. */
const wanted = process.argv.slice(2)

for (const corpus of corpora.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
  try {
    await fetchCorpus(corpus, `.corpora/${corpus.name}`, 'https://codeload.github.com')
    console.log(`.corpora/${corpus.name}: ${corpus.repository} at ${corpus.commit}`)
  } catch (error) {
    if (corpus.need !== 'optional') throw error
    console.warn(`.corpora/${corpus.name}: skipped, since it is optional.`, error)
  }
