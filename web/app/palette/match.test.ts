import { expect, test } from 'vitest'
import { rankMatch, findMatches } from '#web/app/palette/match.ts'

const PLACES = ['Security & Privacy', 'Cards', 'Carbon Footprint', 'Payment Methods', 'Überweisungen']
const find = (query: string) =>
  findMatches(PLACES, query, (label) => ({ label, others: label === 'Cards' ? 'freeze' : '' }))

test('finds entries by the beginning of a word, by a part of one, and by other words', () => {
  expect(find('car')).toEqual(['Cards', 'Carbon Footprint'])
  expect(find('foot')).toEqual(['Carbon Footprint'])
  expect(find('ment')).toEqual(['Payment Methods'])
  expect(find('freeze')).toEqual(['Cards'])
  expect(find('nothing')).toEqual([])
})

test('lists entries that begin with the text before those that contain it', () => {
  expect(findMatches(['Discard', 'My cards', 'Cards'], 'card', (label) => ({ label }))).toEqual([
    'Cards',
    'My cards',
    'Discard',
  ])
})

test('requires every word, in any order, and ignores accents', () => {
  expect(find('privacy sec')).toEqual(['Security & Privacy'])
  expect(find('privacy cards')).toEqual([])
  expect(find('uber')).toEqual(['Überweisungen'])
})

test('lists everything for an empty text', () => {
  expect(rankMatch('  ', 'Cards')).toBe(0)
  expect(find('')).toEqual(PLACES)
})
