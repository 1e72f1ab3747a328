import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const DECISIONS = join(ROOT, 'docs/decisions')
const TOP_LEVEL = ['README', 'ARCHITECTURE', 'CONTRIBUTING', 'SECURITY', 'CHANGELOG', 'CODE_OF_CONDUCT']

const read = (file: string) => readFileSync(file, 'utf8')
const records = readdirSync(DECISIONS).filter((file) => /^\d{4}-[a-z0-9-]+\.md$/.test(file))

const LINKS = String.raw`\[\d{4}\]\([^)]+\)(?:, \[\d{4}\]\([^)]+\))*`
const HEAD = new RegExp(
  String.raw`^# (?<number>\d+)\. (?<title>.+)\n\nDate: (?<date>\d{4}-\d\d-\d\d)\n\nStatus: (?<status>accepted|(?:superseded|amended) by ${LINKS})\n\n` +
    String.raw`(?:Replaces: (?<replaces>${LINKS})\n\n)?(?:Amends: (?<amends>${LINKS})\n\n)?`,
)
const filesIn = (links = '') => [...links.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file)

const headOf = (file: string) => {
  const { number, title, date, status = '', replaces, amends } = HEAD.exec(read(join(DECISIONS, file)))?.groups ?? {}
  return { number, title, date, status, replaces: filesIn(replaces), amends: filesIn(amends) }
}

/** Returns the anchors of a document's headings in GitHub's form. */
const anchorsOf = (markdown: string): Set<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ''] of markdown.replaceAll(/^```.*?^```/gms, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
    const anchor = text.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')
    let unique = anchor
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`
    anchors.add(unique)
  }
  return anchors
}

const brokenLinksIn = (file: string): string[] => {
  const prose = read(file)
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/(?:\]\(|(?:src|href)=")([^)"\s]+)[)"]/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return []
    const [path = '', anchor] = link.split('#')
    const target = path ? resolve(dirname(file), decodeURI(path)) : file
    if (!existsSync(target)) return [`${link}: no such file`]
    const isMissing =
      anchor && statSync(target).isFile() && target.endsWith('.md') && !anchorsOf(read(target)).has(anchor)
    return isMissing ? [`${link}: no such heading`] : []
  })
}

const documents = [
  ...TOP_LEVEL.map((name) => join(ROOT, `${name}.md`)).filter((file) => existsSync(file)),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(ROOT, 'docs', file)),
]

describe('decision records', () => {
  test.each(records)('%s has a title, a date and a status', (file) => {
    expect(read(join(DECISIONS, file))).toMatch(HEAD)
    expect(Number(headOf(file).number)).toBe(Number(file.slice(0, 4)))
  })

  test('each record has a number of its own', () => {
    expect(new Set(records.map((file) => file.slice(0, 4))).size).toBe(records.length)
  })

  test('an earlier and a later record both name the change', () => {
    const changes = (kind: 'replaces' | 'amends') =>
      records.flatMap((later) => headOf(later)[kind].map((earlier) => `${later} -> ${earlier}`)).toSorted()
    const statuses = (word: string) =>
      records
        .filter((earlier) => headOf(earlier).status.startsWith(word))
        .flatMap((earlier) => filesIn(headOf(earlier).status).map((later) => `${later} -> ${earlier}`))
        .toSorted()

    expect(changes('replaces')).toEqual(statuses('superseded'))
    expect(changes('amends')).toEqual(statuses('amended'))
  })

  test('the index lists every record with its title, date and status', () => {
    const rows = read(join(DECISIONS, 'README.md')).match(/^\| \[\d{4}\].*$/gm)
    const expected = records.map((file) => {
      const { title, date, status } = headOf(file)
      return `| [${file.slice(0, 4)}](${file}) | ${title} | ${date} | ${status} |`
    })
    expect(rows).toEqual(expected)
  })
})

test.each(documents.map((file) => relative(ROOT, file)))('the links of %s have targets', (file) => {
  expect(brokenLinksIn(join(ROOT, file))).toEqual([])
})
