import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import type { CameraSheetProps } from '#web/kyc/upload/camera-sheet.tsx'
import { rulesOf } from '#web/kyc/steps.ts'
import { useLazy, usePreload } from '#web/lib/lazy.ts'
import { FileInput, type FileInputHandle } from '#web/ui/file-input.tsx'
import { loadInSheet } from '#web/ui/sheet.tsx'

const loadCamera = () => loadInSheet(() => import('#web/kyc/upload/camera-sheet.tsx'))

/** Takes a selfie in the app, or with the device's own camera app if the app cannot use a camera. */
export function SelfieCamera({ open, onOpenChange, onUse }: Omit<CameraSheetProps, 'onChooseFile'>) {
  const { t } = useLingui()
  const photos = useRef<FileInputHandle>(null)
  function chooseFile(): void {
    onOpenChange(false)
    photos.current?.open()
  }
  usePreload(loadCamera)
  const camera = useLazy(loadCamera, open, chooseFile)
  return (
    <>
      <FileInput
        ref={photos}
        label={t`A photo of you`}
        accept={rulesOf('selfie').media.join(',')}
        capture="user"
        onChoose={onUse}
      />
      {camera && <camera.CameraSheet open={open} onOpenChange={onOpenChange} onUse={onUse} onChooseFile={chooseFile} />}
    </>
  )
}
