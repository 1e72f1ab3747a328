import type { Plugin } from 'vite'

/** Fails the build where chunks import each other in a circle: one would run before what it extends is there. */
export const noCircles = (): Plugin => ({
  name: 'no-circles',
  generateBundle(_options, bundle) {
    const importsOf = (file: string) => {
      const chunk = bundle[file]
      return chunk?.type === 'chunk' ? chunk.imports : []
    }
    const follow = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) this.error(`Chunks import each other: ${[...path, file].join(' -> ')}`)
      for (const next of importsOf(file)) follow(next, [...path, file])
    }
    for (const file of Object.keys(bundle)) follow(file, [])
  },
})
