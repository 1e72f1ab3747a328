import type { Plugin } from 'vite'

/**
 * Fails the build where the web app would carry zod: the server checks what is sent, and the library is as heavy as a
 * screen. What both sides know beside schemas stands in files of the contract of its own.
 */
export const noSchemas = (): Plugin => ({
  name: 'no-schemas',
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
