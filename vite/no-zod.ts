import type { Plugin } from 'vite'

/**
 * Fails the build if the web app contains zod. The server validates requests, and the library is as large as a screen.
 * Definitions of the contract that both sides share without schemas are in files of their own.
 */
export const noZod = (): Plugin => ({
  name: 'no-zod',
  generateBundle() {
    const schemas = [...this.getModuleIds()].find((id) => /\/node_modules\/zod\//.test(id))
    if (!schemas) return
    const path = [schemas]
    for (let importer = this.getModuleInfo(schemas)?.importers[0]; importer && !path.includes(importer);) {
      path.unshift(importer)
      importer = this.getModuleInfo(importer)?.importers[0]
    }
    this.error(`The web app carries zod: ${path.join(' -> ')}`)
  },
})
