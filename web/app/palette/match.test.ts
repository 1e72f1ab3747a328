import { expect, test } from 'vitest'
import { rank, search } from '#web/app/palette/match.ts'

const PLACES = ['Security & Privacy', 'Cards', 'Carbon Footprint', 'Payment Methods', 'Überweisungen']
const find = (query: string) => search(PLACES, query, (label) => ({ label, others: label === 'Cards' ? 'freeze' : '' }))

test('finds by the beginning of a word, by a part of one, and by other words', () => {
  expect(find('car')).toEqual(['Cards', 'Carbon Footprint'])
  expect(find('foot')).toEqual(['Carbon Footprint'])
  expect(find('ment')).toEqual(['Payment Methods'])
  expect(find('freeze')).toEqual(['Cards'])
  expect(find('nothing')).toEqual([])
})

test('puts what begins so before what only contains it', () => {
  expect(search(['Discard', 'My cards', 'Cards'], 'card', (label) => ({ label }))).toEqual([
    'Cards',
    'My cards',
    'Discard',
  ])
})

test('asks for every word, in any order, and for no accents', () => {
  expect(find('privacy sec')).toEqual(['Security & Privacy'])
  expect(find('privacy cards')).toEqual([])
  expect(find('uber')).toEqual(['Überweisungen'])
})

test('finds everything for nothing', () => {
  expect(rank('  ', 'Cards')).toBe(0)
  expect(find('')).toEqual(PLACES)
})
