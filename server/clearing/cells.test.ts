import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readClearingConfig } from '#server/clearing/cells.ts'

const cells = [
  { name: 'north', routingNumber: '011000015', hooksUrl: 'https://north.example/hooks/rails', secret: 'n'.repeat(32) },
  { name: 'south', routingNumber: '021000021', hooksUrl: 'https://south.example/hooks/rails', secret: 's'.repeat(32) },
]

describe('the file of cells', () => {
  const validFile = () => ({ databaseUrl: 'postgres://clearing@db/clearing', port: 4100, cells })
  const readCells = (content: object | string): unknown => {
    const dir = mkdtempSync(join(tmpdir(), 'alder-cells-'))
    const path = join(dir, 'cells.json')
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    try {
      return readClearingConfig(path)
    } finally {
      rmSync(dir, { recursive: true })
    }
  }

  test('lists the cells that settle with each other', () => {
    expect(readCells(validFile())).toEqual(validFile())
  })

  test.each([
    ['no JSON', () => '{', /cannot be read/],
    ['a single cell', () => ({ ...validFile(), cells: cells.slice(1) }), /cells/],
    [
      'two cells with one name',
      () => ({ ...validFile(), cells: [cells[0], { ...cells[1], name: 'north' }] }),
      /same name/,
    ],
    [
      'two cells with one number',
      () => ({ ...validFile(), cells: [cells[0], { ...cells[1], routingNumber: '011000015' }] }),
      /same number/,
    ],
    [
      'two cells with one secret',
      () => ({ ...validFile(), cells: [cells[0], { ...cells[1], secret: 'n'.repeat(32) }] }),
      /same secret/,
    ],
    [
      'a short secret',
      () => ({ ...validFile(), cells: [{ ...cells[0], secret: 'short' }, cells[1]] }),
      /cells\.0\.secret/,
    ],
    [
      'an invalid number',
      () => ({ ...validFile(), cells: [{ ...cells[0], routingNumber: '011000016' }, cells[1]] }),
      /routingNumber/,
    ],
    ['an unknown field', () => ({ ...validFile(), day: 1 }), /day/],
  ])('with %s is refused in one sentence', (_, content, sentence) => {
    expect(() => readCells(content())).toThrow(sentence)
  })
})
