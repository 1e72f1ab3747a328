import type { ExternalToast, toast as sonner } from 'sonner'

type Library = typeof sonner

let libraryCame: (library: Library) => void = () => {}
let libraryWanted: () => void = () => {}
/** The toast library loads after the first screen. Earlier toasts wait for it. */
const library = new Promise<Library>((resolve) => {
  libraryCame = resolve
})

/** Sets the library and shows, in order, the toasts that are waiting. */
export function showToasts(loaded: Library): void {
  libraryCame(loaded)
}

/** Sets the handler that loads the library for the first toast. */
export function onToastWanted(handler: () => void): void {
  libraryWanted = handler
}

const kind =
  (name: 'success' | 'info' | 'error' | 'loading' | 'message') => (text: string, options?: ExternalToast) => {
    libraryWanted()
    void library.then((loaded) => loaded[name](text, options))
  }

/** Shows a toast from any part of the app. A toast with the id of another replaces it. */
export const toast = {
  success: kind('success'),
  info: kind('info'),
  error: kind('error'),
  loading: kind('loading'),
  message: kind('message'),
  dismiss: (id: string | number) => {
    void library.then((loaded) => loaded.dismiss(id))
  },
}
