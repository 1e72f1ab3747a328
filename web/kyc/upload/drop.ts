import { useDropzone } from 'react-dropzone'

/**
 * Lets one file be dropped on an element: the props to spread on it, and whether a file is held over it. While not
 * `enabled` a dropped file is ignored; the browser must not leave the page to open it.
 */
export function useFileDrop(onDrop: (file: File) => void, enabled: boolean) {
  const { getRootProps, isDragActive } = useDropzone({
    // What a file is, is told by its first bytes (lib/upload.ts), not by its name.
    onDrop: ([file]) => {
      if (file && enabled) onDrop(file)
    },
    noClick: true,
    noKeyboard: true,
  })
  return { dragging: isDragActive && enabled, target: getRootProps({ role: 'region' }) }
}
