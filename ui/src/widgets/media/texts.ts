/** All texts of pictures and sounds. */
export const MEDIA = {
  brokenImage: 'The data is not an image of this type.',
  image: 'Sent by the server',
  sound: 'Sound sent by the server',
  measures: (width: number, height: number) => `${width} × ${height} pixels`,
} as const;
