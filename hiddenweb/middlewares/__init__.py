"""What stands between engine, downloader and spiders."""
