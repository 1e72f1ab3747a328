import { expect, test } from 'vitest'
import { refusedPhrases, sharedTypeNames, wordsOf } from './plain-words.ts'

test('finds a refused phrase once, in any case, across line ends, and only as whole words', () => {
  expect(refusedPhrases('Whoever asks, whoever waits')).toEqual(['whoever'])
  expect(refusedPhrases('there are so\n   * many of them')).toEqual(['so many'])
  expect(refusedPhrases('this told them')).toEqual([])
  expect(refusedPhrases('the word `whoever` in code')).toEqual([])
})

test('reads comments, not strings, and the types that a file declares', () => {
  const source = `
    // a comment
    export type { Other } from './other.ts'
    export type Hold = { id: string } /** another */
    type Local = 1
    export interface Entry {}
    const text = '// no comment'
  `
  const { comments, exportedTypes } = wordsOf('a.ts', source)
  expect(comments.map((comment) => comment.replaceAll(/[*\s]+/g, ' ').trim())).toEqual(['a comment', 'another'])
  expect(exportedTypes).toEqual(['Hold', 'Entry'])
})

test('reports a type name that two modules export', () => {
  const files = new Map([
    ['a.ts', ['Hold', 'Entry']],
    ['b.ts', ['Hold']],
  ])
  expect(sharedTypeNames(files)).toEqual(new Map([['Hold', ['a.ts', 'b.ts']]]))
})
