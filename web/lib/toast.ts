import type { ExternalToast, toast as sonner } from 'sonner'

type Library = typeof sonner

let libraryCame: (library: Library) => void = () => {}
/** The library comes after the first screen; what is said before then waits for it. */
const library = new Promise<Library>((resolve) => {
  libraryCame = resolve
})

/** Shows from now on, in their order, the toasts that are and were asked for. */
export function showToasts(loaded: Library): void {
  libraryCame(loaded)
}

const kind = (name: 'success' | 'error' | 'loading' | 'message') => (text: string, options?: ExternalToast) => {
  void library.then((loaded) => loaded[name](text, options))
}

/** Says something in passing, from anywhere in the app. A toast with the id of another takes its place. */
export const toast = {
  success: kind('success'),
  error: kind('error'),
  loading: kind('loading'),
  message: kind('message'),
  dismiss: (id: string | number) => {
    void library.then((loaded) => loaded.dismiss(id))
  },
}
