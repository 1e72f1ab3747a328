import { useEffect, useState } from 'react'

export type Camera = { state: 'asking' } | { state: 'live'; stream: MediaStream } | { state: 'unavailable' }

const ASKING: Camera = { state: 'asking' }

/** The preferred width of the camera's picture in pixels. It is enough to show a face; more would only slow the upload. */
const WIDTH = { ideal: 1280 }

/** The JPEG quality of photos, from 0 to 1, at which no block artifacts are visible. */
const JPEG_QUALITY = 0.92

function stop(stream: MediaStream | null): void {
  stream?.getTracks().forEach((track) => track.stop())
}

/** Returns the front camera, which is used while `isOn` is true. The camera is released at once when `isOn` becomes false. */
export function useCamera(isOn: boolean): Camera {
  const [camera, setCamera] = useState<Camera>(ASKING)
  useEffect(() => {
    if (!isOn) return
    let stream: MediaStream | null = null
    let isOver = false
    const unavailable = (): void => setCamera({ state: 'unavailable' })

    async function start(): Promise<void> {
      // Without HTTPS, `mediaDevices` is undefined, although its type says otherwise.
      const newStream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user', width: WIDTH } })
      if (isOver) return stop(newStream)
      stream = newStream
      stream.getVideoTracks()[0]?.addEventListener('ended', unavailable)
      setCamera({ state: 'live', stream })
    }
    start().catch(() => isOver || unavailable())
    return () => {
      isOver = true
      stop(stream)
      setCamera(ASKING)
    }
  }, [isOn])
  return camera
}

/**
 * Returns the current picture of `video` as a JPEG, cropped to the shape in which it is shown (width to height). Returns null
 * before the first picture.
 */
export async function takePhoto(video: HTMLVideoElement, shape: number): Promise<Blob | null> {
  const { videoWidth, videoHeight } = video
  const width = Math.min(videoWidth, Math.round(videoHeight * shape))
  const height = Math.min(videoHeight, Math.round(videoWidth / shape))
  if (width === 0 || height === 0) return null
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const left = (videoWidth - width) / 2
  const top = (videoHeight - height) / 2
  canvas.getContext('2d')?.drawImage(video, left, top, width, height, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
}
