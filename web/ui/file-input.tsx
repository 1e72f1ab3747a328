import { type ComponentProps, type Ref, useImperativeHandle, useRef } from 'react'

/** Opens the device's file chooser. */
export type FileInputHandle = { open: () => void }

type FileInputProps = Pick<ComponentProps<'input'>, 'accept' | 'capture'> & {
  label: string
  onChoose: (file: File) => void
  ref: Ref<FileInputHandle>
}

/** An invisible file input that another control opens. */
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
        // The reset allows the same file to be chosen again after an error.
        event.currentTarget.value = ''
        if (file) onChoose(file)
      }}
    />
  )
}
