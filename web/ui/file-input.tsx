import { type ComponentProps, type Ref, useImperativeHandle, useRef } from 'react'

/** Opens the device's choice of a file. */
export type FileInputHandle = { open: () => void }

type FileInputProps = Pick<ComponentProps<'input'>, 'accept' | 'capture'> & {
  label: string
  onChoose: (file: File) => void
  ref: Ref<FileInputHandle>
}

/** A choice of one file that another control opens: it is never seen itself. */
export function FileInput({ label, onChoose, ref, ...input }: FileInputProps) {
  const element = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => ({ open: () => element.current?.click() }), [])
  return (
    <input
      {...input}
      ref={element}
      type="file"
      hidden
      aria-label={label}
      onChange={(event) => {
        const file = event.currentTarget.files?.[0]
        // The same file may be chosen again after something went wrong with it.
        event.currentTarget.value = ''
        if (file) onChoose(file)
      }}
    />
  )
}
