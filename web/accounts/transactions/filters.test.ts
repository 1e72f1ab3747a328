import { describe, expect, it } from 'vitest'
import { chipsOf, filtersFrom, normaliseRanges, withoutFilters } from '#web/accounts/transactions/filters.ts'
import { filterParams } from '#web/accounts/queries.ts'

const read = (query: string) => filtersFrom(new URLSearchParams(query))

describe('filters in the URL', () => {
  it('are parsed as they were written', () => {
    const filters = {
      q: 'fern & kettle',
      minMinor: 500,
      maxMinor: 10_000,
      from: '2026-08-01',
      to: '2026-08-28',
      category: 'food',
      status: 'completed',
    } as const
    expect(read(filterParams(filters).toString())).toEqual(filters)
  })
  it.each([
    'minMinor=-1',
    'minMinor=abc',
    'maxMinor=1.5',
    'minMinor=9007199254740993',
    'from=yesterday',
    'to=2026-02-30',
    'category=pets',
    'status=lost',
    'q=%20%20',
    'other=1',
  ])('omit %s, which is invalid, and keep the rest', (part) => {
    expect(read(`${part}&category=food&${part}`)).toEqual(part.startsWith('category') ? {} : { category: 'food' })
  })
})

it('a reversed range is swapped', () => {
  expect(normaliseRanges({ minMinor: 900, maxMinor: 100, from: '2026-08-09', to: '2026-08-01' })).toEqual({
    minMinor: 100,
    maxMinor: 900,
    from: '2026-08-01',
    to: '2026-08-09',
  })
})

it('the filters are listed in words, and each can be removed', () => {
  const filters = { q: 'fern', category: 'food', minMinor: 500, from: '2026-08-28' } as const
  const now = new Date('2026-08-28T09:41:00Z')
  expect(chipsOf(filters, now).map((chip) => chip.label)).toEqual(['Food & Drink', 'From $5.00', 'From Today'])
  expect(withoutFilters(filters, ['category'])).toEqual({ q: 'fern', minMinor: 500, from: '2026-08-28' })
})
