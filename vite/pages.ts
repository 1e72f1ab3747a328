import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { paneGroups, screens } from '#web/app/screens.ts'
import { hasTabs } from '#web/app/shell/tabs.ts'

/**
 * The assets that a page of the app needs at once. The server names them in the page's head, and the check of bundle sizes adds
 * them up.
 */
export type PageAssets = {
  /** The size of the scripts that every page needs, in bytes, gzipped. */
  firstBytes: number
  /** The assets by the screen's path; '*' stands for any other address. */
  screens: Record<string, { scripts: string[]; styles: string[]; bytes: number }>
  /** The font file with the letters of most pages. */
  font: string
}

/** The layout of a list with its details beside it. */
const PANES = 'web/app/shell/panes.tsx'
/** The tab bar at the bottom of a phone's screens. */
const TABS = 'web/app/shell/tab-bar.tsx'
const IN_PANES = new Set<string>(Object.entries(paneGroups).flatMap(([home, opens]) => [home, ...opens]))

/** Returns the screen's own file: the first import in its loader. */
function fileOf(path: string, load: () => Promise<unknown>): string {
  const [, file] = /import\('#([^']+)'\)/.exec(String(load)) ?? []
  if (!file) throw new Error(`The loader of ${path} imports no file`)
  return file
}

/**
 * Reads from Vite's manifest which assets each page needs at once. Throws if a screen has no chunk, if chunks import each
 * other, or if the font is missing.
 */
export function readPages(dist: string): PageAssets {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const chunkOf = (key: string) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no chunk of ${key}`)
    return chunk
  }
  /**
   * Collects a chunk and all its imports, the chunk itself first. Throws if two chunks import each other, because one of them
   * would run before its imports are ready.
   */
  const follow = (key: string, pages: Set<string>, above: readonly string[] = []): Set<string> => {
    if (above.includes(key)) throw new Error(`Chunks import each other: ${[...above, key].join(' -> ')}`)
    if (pages.has(key)) return pages
    pages.add(key)
    for (const next of chunkOf(key).imports ?? []) follow(next, pages, [...above, key])
    return pages
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
