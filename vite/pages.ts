import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { paneGroups, screens } from '#web/app/screens.ts'
import { hasTabs } from '#web/app/shell/tabs.ts'

/** What a page of the app needs at once, for the server to name in its head, and for the budget to weigh. */
export type Pages = {
  /** The bytes, gzipped, of the scripts that every page needs. */
  firstBytes: number
  /** By the screen's path; '*' for any other address. */
  screens: Record<string, { scripts: string[]; styles: string[]; bytes: number }>
  /** The letters of most pages. */
  font: string
}

/** Lists and what opens beside them stand in this. */
const PANES = 'web/app/shell/panes.tsx'
/** Stands at the foot of a phone's screens. */
const TABS = 'web/app/shell/tab-bar.tsx'
const IN_PANES = new Set<string>(Object.entries(paneGroups).flatMap(([home, opens]) => [home, ...opens]))

/** A screen's own file: the first that its loader imports. */
function fileOf(path: string, load: () => Promise<unknown>): string {
  const [, file] = /import\('#([^']+)'\)/.exec(String(load)) ?? []
  if (!file) throw new Error(`The loader of ${path} imports no file`)
  return file
}

/** Reads in Vite's manifest what each page needs at once. Throws where a screen has no chunk, or chunks import each other. */
export function pagesOf(dist: string): Pages {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const chunkOf = (key: string) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no chunk of ${key}`)
    return chunk
  }
  /** A chunk and all that it imports, itself first. Of two that import each other, one would run before what it needs is there. */
  const follow = (key: string, found: Set<string>, above: readonly string[] = []): Set<string> => {
    if (above.includes(key)) throw new Error(`Chunks import each other: ${[...above, key].join(' -> ')}`)
    if (found.has(key)) return found
    found.add(key)
    for (const next of chunkOf(key).imports ?? []) follow(next, found, [...above, key])
    return found
  }
  const bytesOf = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)

  const first = follow('index.html', new Set())
  const needs = Object.entries(screens).map(([path, load]) => {
    const needed = follow(fileOf(path, load), new Set())
    if (IN_PANES.has(path)) follow(PANES, needed)
    if (hasTabs(path)) follow(TABS, needed)
    const chunks = [...needed].filter((key) => !first.has(key)).map(chunkOf)
    const scripts = chunks.map(({ file }) => file)
    return [path, { scripts, styles: chunks.flatMap(({ css = [] }) => css), bytes: bytesOf(scripts) }] as const
  })
  for (const key of Object.keys(manifest)) follow(key, new Set())
  const font = Object.values(manifest).find(({ file }) => /inter-latin-\w+-normal-[\w-]+\.woff2$/.test(file))?.file
  if (!font) throw new Error('The build has no font')
  return { firstBytes: bytesOf([...first].map((key) => chunkOf(key).file)), screens: Object.fromEntries(needs), font }
}
