/** electron-vite gives the built file's path; see toolchain, Build. */
declare module '*?modulePath' {
  const path: string;
  export default path;
}
