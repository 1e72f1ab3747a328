import { type DragEvent, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')

/** Lets a file be dropped on an element: what to spread into it, and whether one is being held over it. */
export function useDrop(onDrop: (file: File) => void, on: boolean) {
  const [dragging, setDragging] = useState(false)
  return {
    dragging: dragging && on,
    target: {
      onDragOver(event: DragEvent): void {
        if (!hasFiles(event)) return
        // Even where nothing is taken now, the browser must not leave the page to open the file.
        event.preventDefault()
        event.dataTransfer.dropEffect = on ? 'copy' : 'none'
        setDragging(true)
      },
      onDragLeave(event: DragEvent): void {
        // Passing over a child leaves nothing.
        if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
        setDragging(false)
      },
      onDrop(event: DragEvent): void {
        if (!hasFiles(event)) return
        event.preventDefault()
        setDragging(false)
        const file = event.dataTransfer.files[0]
        if (file && on) onDrop(file)
      },
    },
  }
}
