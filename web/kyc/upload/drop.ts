import { useDropzone } from 'react-dropzone'

/**
 * Lets the customer drop one file on an element. Returns the element's props and whether a file is held over it. While
 * `enabled` is false, a dropped file is ignored. The drop is still handled, because the browser would otherwise leave the page
 * to open the file.
 */
export function useFileDrop(onDrop: (file: File) => void, enabled: boolean) {
  const { getRootProps, isDragActive } = useDropzone({
    // There is no `accept` option, because the first bytes of a file identify its type, not its name (web/lib/upload.ts).
    onDrop: ([file]) => {
      if (file && enabled) onDrop(file)
    },
    noClick: true,
    noKeyboard: true,
  })
  return { dragging: isDragActive && enabled, target: getRootProps({ role: 'region' }) }
}
