import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useRef } from 'react'
import type { CameraSheetProps } from '#web/kyc/upload/camera-sheet.tsx'
import { FileInput, type FileInputHandle } from '#web/ui/file-input.tsx'
import { rulesOf } from '#web/kyc/steps.ts'

const CameraSheet = lazy(async () => ({
  default: await import('#web/kyc/upload/camera-sheet.tsx').then(
    (loaded) => loaded.CameraSheet,
    () => FileInstead,
  ),
}))

/** Where the camera does not come, a photo is chosen as a file. */
function FileInstead({ open, onChooseFile }: CameraSheetProps) {
  useEffect(() => {
    if (open) onChooseFile()
  }, [open, onChooseFile])
  return null
}

/** A photo of oneself, taken here, or by the device's own camera app where there is no camera to use here. */
export function SelfieCamera({ open, onOpenChange, onUse }: Omit<CameraSheetProps, 'onChooseFile'>) {
  const { t } = useLingui()
  const photos = useRef<FileInputHandle>(null)
  function chooseFile(): void {
    onOpenChange(false)
    photos.current?.open()
  }
  return (
    <>
      <FileInput
        ref={photos}
        label={t`A photo of you`}
        accept={rulesOf('selfie').media.join(',')}
        capture="user"
        onChoose={onUse}
      />
      <Suspense>
        <CameraSheet open={open} onOpenChange={onOpenChange} onUse={onUse} onChooseFile={chooseFile} />
      </Suspense>
    </>
  )
}
